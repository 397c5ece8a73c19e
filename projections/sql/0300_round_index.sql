-- Finding the facts of one round: a bloom filter on `round` for every event that names one.
-- Source: the tables of 0100. Key: none; an index adds no row. Ordering: as the tables, by
-- position, where a round lies close together. Idempotence: follows the tables.

ALTER TABLE BallLanded
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetConcluded
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetCorrected
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetPlaced
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetRefused
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetReturned
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetSettled
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetVoided
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetWithdrawn
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE BetsClosed
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE CardDealt
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE CardRecordCorrected
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE CardRevealed
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE CommandRefused
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE ComplaintFiled
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE ContradictionRecorded
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PlayerDecided
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PlayerDisconnected
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PlayerReconnected
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PrizeWithheld
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE RoundOpened
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE RoundReconstructed
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE RoundResulted
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE RoundVoided
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE SpinDeclaredInvalid
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE WheelStopped
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE WheelSpun
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE WinCorrected
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE HandAction
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE HandStarted
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE HandsSet
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE MisdealDeclared
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PointsSettled
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE PotAwarded
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE RakeTaken
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;

ALTER TABLE UncalledReturned
    ADD INDEX IF NOT EXISTS of_round round TYPE bloom_filter(0.01) GRANULARITY 1;
