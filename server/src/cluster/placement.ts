// Where the rows of each table are stored on several nodes (docs/growing.md).
//
// `tillside database distribute` places all rows of a company on one node: `references` have a
// copy on every node, and `company_id` chooses the node of every other row.
//
// The other constants are the next step, a company over several nodes: a small table has a copy on
// every node, and a row of any other table is on the node that its company and one column choose.
// `tools/placement.test.ts` checks the statements against them, and `placement.test.ts` the schema.

/** The tables that have a copy on every node when each company is on one. */
export const references = ['company_address', 'company'] as const

/** The tables that have a copy on every node when a company is on several. */
export const copied = new Set(
  `company_address company company_revision store staff_group staff session_epoch tier gift
  coupon_definition api_key webhook search_history_key point_month point_month_figures
  shift_note shift_note_reader tier_promotion point_report member_name_walk
  coupon_expiry_walk`.split(/\s+/),
)

/** The column that chooses a row's node, and the tables that have it: a group. */
const groups: Record<string, string> = {
  member_id: `member member_tier member_origin member_name_key consent qualifying_spend
    point_account point_entry point_lot point_burn point_promotion point_forgiven point_return
    point_operation gift_redemption
    sale_redemption coupon coupon_redemption outbox outbox_member event delivery`,
  place: 'transaction transaction_item transaction_coupon transaction_return audit',
  key: 'operation login_throttle',
  value: 'member_key contact_code',
  coupon_code: 'coupon_key',
  reference_hash: 'contact_proof',
  holder: 'code_allowance',
  message_id: 'message',
  invoice_number: 'receipt_key',
  // The process that imports a file reads the rows itself, so they gain nothing from several nodes.
  import_id: 'import_row import_invoice',
  reference: 'paid_sale',
  item_id: 'stock',
  // A token names its account, so a session is found and ended on one node.
  staff_id: 'session access_link login_device given_today look_up',
  merge_id: 'member_merge member_merge_row',
  // The first two are locked by each batch of a job and by each reader of events. Addresses have no
  // company: their few rows have the nil UUID, are counted together and removed together.
  company_id: 'job event_position login_address',
}

/** The column that chooses the node of each table that is not copied. */
export const columnOf: ReadonlyMap<string, string> = new Map(
  Object.entries(groups).flatMap(([column, names]) =>
    names.split(/\s+/).map((name) => [name, column] as const),
  ),
)

/**
 * Tables whose rows are on the same nodes: a member's receipts and audit rows are with the member,
 * whose id is their `place`.
 */
export function groupOf(table: string): string | undefined {
  const column = columnOf.get(table)
  return column === 'place' ? 'member_id' : column
}

/**
 * Foreign keys between rows that can have different places, although their tables are one group:
 * a row of `transaction_return` is at the place of the sale, and the receipt of the return can be
 * at another place.
 */
export const apart: ReadonlySet<string> = new Set([
  'transaction_return_company_id_transaction_id_fkey',
])
