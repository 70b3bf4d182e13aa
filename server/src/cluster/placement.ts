// Where `tillside database distribute` stores the rows of each table on a cluster
// (docs/growing.md): a small table has a copy on every node, and one column chooses the node of
// each other row.
//
// `tools/placement.test.ts` checks the statements against this, and `placement.test.ts` the schema.

/** The tables that have a copy on every node. */
export const copied = new Set(
  `company_address company store staff_group staff session_epoch tier gift coupon_definition api_key
  webhook point_month point_month_figures shift_note shift_note_reader tier_promotion point_report
  member_name_walk coupon_expiry_walk`.split(/\s+/),
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
  staff_id: 'session access_link login_device given_today look_up search_history_key',
  merge_id: 'member_merge member_merge_row',
  // `job` and `event_position` are locked by each batch of a job and by each reader of events.
  // Addresses have no company: their few rows have the nil UUID, are counted together and removed
  // together. To insert a row with `on conflict` into a copied table, Citus asks for the right to
  // update it, which the program does not have for the revisions of a company.
  company_id: 'job event_position login_address company_revision',
}

/** The suffix of a function's form for several nodes (migration 0133). */
export const formOnNodes = '_on_nodes'

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
  if (column === 'place') return 'member_id'
  // The key of a request is a UUID, and that of attempts a text: Citus places them apart.
  return table === 'login_throttle' ? table : column
}

/**
 * Foreign keys between rows that can have different places, although their tables are one group:
 * a row of `transaction_return` is at the place of the sale, and the receipt of the return can be
 * at another place.
 */
export const apart: ReadonlySet<string> = new Set([
  'transaction_return_company_id_transaction_id_fkey',
])
