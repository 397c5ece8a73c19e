"""Commands and what decides them, a room for each subject; `decider` lists them all.

The docstring of a decision lists after ``Refuses:`` the codes that can refuse its command, in the
order of judgement; without the word, nothing refuses it. Every decision raises ``InputError`` for
a name that is unknown or taken already, and where its text says what to send instead.
"""
