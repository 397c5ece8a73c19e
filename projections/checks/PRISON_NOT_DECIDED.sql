-- needs = ["BetImprisoned"]
-- view = "bet_findings"
-- reads = ["PrisonDecided", "RoundResulted"]
--
-- [PRISON_NOT_DECIDED]
-- name.en = "Chip in prison not decided"
-- name.cs = "O žetonu ve vězení nebylo rozhodnuto"
-- text.en = """\
--   The table has another result, and no decision about the chip in prison over \
--   {amount:money}."""
-- text.cs = """\
--   U stolu byl zaznamenán další výsledek, ale o žetonu ve vězení ({amount}) nebylo \
--   rozhodnuto."""

SELECT
    spun_position AS position, account, round, bet, chip AS amount, '' AS detail,
    CAST([] AS Array(String)) AS parts
FROM prison_spins
WHERE decided_position = 0;
