"""editing"""
