-- Movements of the month's sections: one total for a section, kind, currency and way of payment
-- (decree 10/2019, annex, daily data file VI). A correction is the same movement once more, with the
-- difference; it belongs to the section of what it corrects, whenever it was recorded.
-- Source: ChipsSold, ChipsRedeemed, CageFunded, CageWithdrawn, CageOtherIn, CurrencyExchanged,
-- FillReceived, CreditReturned, DropMovedToCage, TipReceived, TroncMovedToCage, TipGiven,
-- ChipsMissing, AccountCashIn, AccountCashOut.
WITH
    closed AS
    (
        SELECT section
        FROM SectionClosed
        WHERE place = {place:String} AND position < {size:Int64}
            AND day >= {day_first:String} AND day <= {day_last:String}
    ),
    movements AS
    (
        SELECT
            section, station, if(station_kind = 'table', 'J2', 'J1') AS code, amount, currency,
            method, position AS at
        FROM ChipsSold
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, 'K1', amount, currency, method, position
        FROM ChipsRedeemed
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '3', amount, currency, '', position
        FROM CageFunded
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '7', amount, currency, '', position
        FROM CageWithdrawn
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '4', amount, currency, '', position
        FROM CageOtherIn
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '4', amount, currency, '', position
        FROM CurrencyExchanged
        WHERE place = {place:String} AND position < {size:Int64}
            AND {exchange:String} = 'reported'
        UNION ALL
        SELECT section, station, '7', given, given_currency, '', position
        FROM CurrencyExchanged
        WHERE place = {place:String} AND position < {size:Int64}
            AND {exchange:String} = 'reported'
        UNION ALL
        SELECT section, station, '10', amount, currency, '', position
        FROM FillReceived
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '11', amount, currency, '', position
        FROM CreditReturned
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT
            section, station, if(station_kind = 'table', '9', '15'), amount, currency, '', position
        FROM DropMovedToCage
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT
            section, station, if(station_kind = 'table', '12', '16'), amount, currency, '', position
        FROM TipReceived
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT
            section, station, if(station_kind = 'table', '13', '17'), amount, currency, '', position
        FROM TroncMovedToCage
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, '8', amount, currency, '', position
        FROM TipGiven
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT section, station, 'L1', amount, currency, '', position
        FROM ChipsMissing
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT
            section, station,
            multiIf(
                purpose = 'account', '2',
                purpose = 'fee', 'H1',
                station_kind = 'cage', '1',
                '14'
            ),
            amount, currency, if(purpose = 'account', '', 'cash'), position
        FROM AccountCashIn
        WHERE place = {place:String} AND position < {size:Int64}
        UNION ALL
        SELECT
            section, station,
            transform(
                purpose,
                ['account', 'tournament_prize', 'tournament_return', 'fee_return'],
                ['6', '5', 'G1', 'I1'],
                ''
            ),
            amount, currency, if(purpose = 'account', '', 'cash'), position
        FROM AccountCashOut
        WHERE place = {place:String} AND position < {size:Int64}
    ),
    flagged AS
    (
        SELECT
            section, station, code, amount, currency, at,
            transform(method, {way_classes:Array(String)}, {way_flags:Array(String)}, '') AS way
        FROM movements
        WHERE section IN (SELECT section FROM closed)
            AND has({currencies:Array(String)}, currency)
    )
SELECT
    concat(section, '-', code, '-', currency, if(way = '', '', concat('-', way))) AS IDTransakce,
    section AS IDZaznamPSTB,
    any(station) AS IDPSTB,
    code AS TransakceTyp,
    sum(amount) AS TransakceVyse,
    currency AS MenaKod,
    nullIf(way, '') AS TransakceZpusob,
    min(at) AS position,
    groupArray(at) AS positions
FROM flagged
GROUP BY section, code, currency, way
