"""fess"""
