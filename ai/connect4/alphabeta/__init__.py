"""alphabeta"""
