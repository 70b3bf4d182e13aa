// Where the rows of each table are stored on several nodes. A small table has a copy on every node.
// A row of any other table is on one node, which its company and one column choose.

/** The tables that have a copy on every node. */
export const copied = new Set(
  `company_address company company_revision store staff_group staff session_epoch tier gift
  coupon_definition api_key webhook search_history_key job point_month point_month_figures
  shift_note shift_note_reader event_position tier_promotion point_report member_name_walk
  coupon_expiry_walk delivery`.split(/\s+/),
)

/** The column that chooses a row's node, and the tables that have it: a group. */
const groups: Record<string, string> = {
  member_id: `member member_tier member_origin member_name_key consent qualifying_spend
    point_account point_entry point_lot point_burn point_promotion point_forgiven point_return
    point_operation gift_redemption
    sale_redemption coupon coupon_redemption outbox outbox_member event`,
  place: 'transaction transaction_item transaction_coupon transaction_return audit',
  key: 'operation',
  value: 'member_key contact_code',
  token_hash: 'session access_link',
  reference_hash: 'contact_proof',
  holder: 'code_allowance',
  message_id: 'message',
  invoice_number: 'import_row import_invoice paid_sale',
  staff_id: 'given_today',
  merge_id: 'member_merge member_merge_row',
  throttle: 'login_throttle login_address login_device',
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
