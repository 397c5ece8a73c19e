"""Commands and what decides them, a room for each subject; `decider` lists them all."""
