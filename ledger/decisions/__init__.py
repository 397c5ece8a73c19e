"""Commands and their decisions, one package per subject; `decider` lists them all.

``refuses`` declares the codes that can refuse a command, in the order of the checks. Every decision
raises ``InputError`` for an unknown or duplicate name and for input whose correction the error text
describes.
"""
