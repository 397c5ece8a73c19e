-- needs = ["DepositCredited", "WithdrawalRequested", "WithdrawalPaid"]
-- view = "cage_findings"
--
-- [CASH_WITHOUT_DOCUMENT]
-- name.en = "Cash without a document"
-- name.cs = "Hotovost bez předložení dokladu"
-- text.en = "No identity document was shown for a cash {detail:phrase} of {amount:money}."
-- text.cs = """\
--   Při operaci v hotovosti ({detail}) ve výši {amount} nebyl předložen průkaz totožnosti."""
-- phrase = "OCCASION_{}"

SELECT position, account, '' AS round, '' AS bet, amount, 'deposit' AS detail
FROM DepositCredited
WHERE position < {size:Int64} AND method_class = 'cash' AND NOT document_shown
UNION ALL
SELECT position, account, '', '', amount, 'withdrawal'
FROM WithdrawalPaid
WHERE position < {size:Int64} AND method_class = 'cash' AND NOT document_shown;
