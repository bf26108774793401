"""twenty48"""
