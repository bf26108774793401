"""sokoban"""
