import { pointTypes } from '@tillside/contract/wire/codes'
import * as pg from 'pg'

/** Each member's points, in one lot that never expires. */
const points = 1_000_000_000

// Ids that increase with the number, like the UUIDv7 of the product.
const memberId = (n: string): string => idOf('01900000-0000', n)
const entryId = (n: string): string => idOf('01900001-0000', n)
const receiptId = (n: string): string => idOf('01900003-0000', n)
const furtherEntryId = (member: number, n: string): string =>
  idOf(`01900002-${member.toString(16).padStart(4, '0')}`, n)

function idOf(front: string, n: string): string {
  return `('${front}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
}

/**
 * Inserts the members `M<from + 1>` … `M<to>`, with mobiles 852 60000001 …, cards `C1` …,
 * uniCustomerNo `U1` … and e-mail addresses. Inserts in bulk as the owner and without foreign key
 * triggers; a million members take one to two minutes.
 */
export async function fillMembers(
  ownerUrl: string,
  companyId: string,
  from: number,
  to: number,
): Promise<void> {
  const series = `from generate_series(${from + 1}, ${to}) n`
  const member = `current_company(), ${memberId('n')}`
  const key = (kind: string, value: string): string =>
    `insert into member_key (company_id, kind, value, member_id)
     select current_company(), '${kind}', ${value}, ${memberId('n')} ${series}`
  await asOwner(ownerUrl, companyId, [
    `insert into member (company_id, member_id, member_code, uni_customer_no, card_number,
       first_name, last_name, country_code, mobile, email, registration_date)
     select ${member}, 'M' || n, 'U' || n, 'C' || n, 'First' || n, 'Last' || n, '852',
       (60000000 + n)::text, 'm' || n || '@example.com', current_date ${series}`,
    key('code', `'M' || n`),
    key('card', `'C' || n`),
    key('uni', `'U' || n`),
    key('email', `'m' || n || '@example.com'`),
    key('mobile', `'+852' || 60000000 + n`),
    `insert into member_tier select ${member}, 'associate', current_date, null ${series}`,
    `insert into point_account (company_id, member_id, balance, earned, entries)
     select ${member}, ${points}, ${points}, 1 ${series}`,
    `insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after)
     select ${member}, ${entryId('n')}, 1, ${pointTypes.adjustmentUp.code}, ${points}, ${points}
     ${series}`,
    `insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at,
       active_from)
     select ${member}, ${entryId('n')}, ${points}, ${points}, now(), current_date ${series}`,
  ])
}

/** Inserts the coupons `from + 1` … `to`; coupon n belongs to member 1 + n mod `members`. */
export async function fillCoupons(
  ownerUrl: string,
  companyId: string,
  from: number,
  to: number,
  members: number,
): Promise<void> {
  await asOwner(ownerUrl, companyId, [
    `insert into coupon (company_id, coupon_code, member_id, coupon_id, issue_date, start_date,
       expiry_date)
     select current_company(), lpad(n::text, 12, '0'), ${memberId(`1 + n % ${members}`)},
       'TREAT', current_date, current_date - 1, current_date + 30
     from generate_series(${from + 1}, ${to}) n`,
    `insert into coupon_key (company_id, coupon_code, member_id)
     select current_company(), lpad(n::text, 12, '0'), ${memberId(`1 + n % ${members}`)}
     from generate_series(${from + 1}, ${to}) n`,
    `update stock set issued = issued + ${to - from}
     where company_id = current_company() and kind = 'coupon' and item_id = 'TREAT'`,
  ])
}

/** Inserts a receipt without items for each of the members `from + 1` … `to`, an hour apart. */
export async function fillReceipts(
  ownerUrl: string,
  companyId: string,
  from: number,
  to: number,
): Promise<void> {
  await asOwner(ownerUrl, companyId, [
    `insert into transaction (company_id, place, transaction_id, invoice_number, source, member_id,
       store_code, status, invoice_type, occurred_at, total_amount, order_discount, net_spend,
       item_count, content_hash)
     select current_company(), ${memberId('n')}, ${receiptId('n')}, 'R' || n, 1, ${memberId('n')},
       'S1', 'completed', 'sale', now() - make_interval(hours => 1 + n % 5000), 12.50, 0, 12.50,
       1, ''
     from generate_series(${from + 1}, ${to}) n`,
    `insert into receipt_key (company_id, invoice_number, source, place, transaction_id,
       content_hash)
     select current_company(), 'R' || n, 1, ${memberId('n')}, ${receiptId('n')}, ''
     from generate_series(${from + 1}, ${to}) n`,
  ])
}

/** Gives member `M<n>` this many additional entries of one point each, in lots that are used up. */
export async function fillEntries(
  ownerUrl: string,
  companyId: string,
  n: number,
  entries: number,
): Promise<void> {
  const member = memberId(String(n))
  await asOwner(ownerUrl, companyId, [
    `insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
       created_at)
     select current_company(), ${member}, ${furtherEntryId(n, 'k')}, 1 + k,
       case k % 2 when 0 then ${pointTypes.adjustmentDown.code} else ${pointTypes.earned.code} end,
       case k % 2 when 0 then -1 else 1 end,
       ${points} + k % 2, now() - make_interval(secs => ${entries} - k)
     from generate_series(1, ${entries}) k`,
    `insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at,
       active_from)
     select current_company(), ${member}, ${furtherEntryId(n, 'k')}, 1, 0, now(), current_date
     from generate_series(1, ${entries}, 2) k`,
    `update point_account set entries = entries + ${entries}, earned = earned + ${entries / 2},
       used = used + ${entries / 2} where member_id = ${member}`,
  ])
}

/** Does what autovacuum would have done in a company that grew slowly. */
export async function settle(ownerUrl: string, companyId: string): Promise<void> {
  await asOwner(ownerUrl, companyId, ['vacuum (analyze)', 'checkpoint'])
}

async function asOwner(
  ownerUrl: string,
  companyId: string,
  statements: readonly string[],
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [companyId])
  await owner.query(`set session_replication_role = replica; set synchronous_commit = off`)
  for (const sql of statements) await owner.query(sql)
  await owner.end()
}
