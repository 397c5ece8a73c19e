"""Packages for the authorities, one folder per country."""
