"""Commands and their decisions, one package per subject; `decider` lists them all.

The docstring of a decision lists after ``Refuses:`` the codes that can refuse its command, in the
order of the checks; without the word, nothing refuses it. Every decision raises ``InputError`` for
an unknown or duplicate name and for input whose correction the error text describes.
"""
