"""ntuple"""
