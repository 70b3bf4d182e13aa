import type { Item } from './stock.ts'

/**
 * The query of an invariant: the wrong counts of the gifts or coupons of company `$1`. More can be
 * counted than is there, because a coupon that was made void stays counted.
 * @param definitions the table of the definitions, and the column of their ids
 * @param given a query of `item_id`, and `given`: how many there are
 */
export function stockFaults(
  kind: Item[0],
  definitions: 'coupon_definition' | 'gift',
  id: 'coupon_id' | 'gift_id',
  given: string,
): string {
  return `select null::uuid as member_id, format('${kind} %s: %s counted, %s there, %s at most',
       item_id, coalesce(s.issued, -1), coalesce(g.given, 0), coalesce(d.stock::text, 'any'))
       as found
     from (
       select ${id} as item_id, stock from ${definitions} where company_id = $1
     ) d left join (
       select item_id, sum(issued) as issued from stock
       where company_id = $1 and kind = '${kind}' group by item_id
     ) s using (item_id) left join (${given}) g using (item_id)
     where s.issued is null or s.issued > d.stock or g.given > s.issued`
}
