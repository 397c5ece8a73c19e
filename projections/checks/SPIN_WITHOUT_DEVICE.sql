-- needs = ["DeviceRemoved"]
-- reads = ["RoundOpened", "DeviceAssigned", "WheelSpun", "RoundResulted"]
-- view = "entry_findings"
--
-- [SPIN_WITHOUT_DEVICE]
-- name.en = "Spin without a wheel"
-- name.cs = "Roztočení bez kola"
-- text.en = "The result is that of a spin at a table whose wheel had been removed during the round."
-- text.cs = "Výsledek určilo roztočení u stolu, z něhož bylo kolo během hry odebráno."
-- paragraph = "ZHH 83"

WITH
    changes AS
    (
        SELECT round, position, kind, 1 AS is_installed
        FROM RoundOpened
        ARRAY JOIN device_kinds AS kind
        WHERE position < {size:Int64}
        UNION ALL
        SELECT round, position, kind, 1 AS is_installed
        FROM DeviceAssigned
        WHERE position < {size:Int64}
        UNION ALL
        SELECT round, position, kind, 0 AS is_installed
        FROM DeviceRemoved
        WHERE position < {size:Int64}
    ),
    spins AS
    (
        SELECT round, max(WheelSpun.position) AS spun_position
        FROM WheelSpun
        WHERE WheelSpun.position < {size:Int64}
            AND round IN (SELECT round FROM DeviceRemoved WHERE position < {size:Int64})
            AND round IN (SELECT round FROM RoundResulted WHERE position < {size:Int64})
        GROUP BY round
    ),
    kinds AS
    (
        SELECT round, spun_position, kind, argMax(is_installed, changes.position) AS is_installed
        FROM spins
        INNER JOIN changes ON spins.round = changes.round
        WHERE changes.position < spun_position AND kind IN ('wheel', 'machine')
        GROUP BY round, spun_position, kind
    )
SELECT
    spun_position AS position, '' AS account, round, '' AS bet, toInt64(0) AS amount, '' AS detail
FROM kinds
GROUP BY round, spun_position
HAVING max(is_installed) = 0;
