import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'

// The table `receipt_key` finds a receipt by its invoice number and source, which make it unique in
// the company. The receipt itself is stored at its place (docs/decisions/0132).

const readKey = statement(
  `select place, transaction_id as id, content_hash as hash from receipt_key
   where company_id = $1 and invoice_number = $2 and source = $3`,
  z.object({ place: z.string(), id: z.string(), hash: z.instanceof(Buffer) }),
)
const readHashes = wholeCompany(
  `select invoice_number, content_hash from receipt_key
   where company_id = $1 and source = $2 and invoice_number = any ($3::text[])`,
  z.object({ invoice_number: z.string(), content_hash: z.instanceof(Buffer) }),
)
const readNames = statement(
  `select invoice_number, source from transaction
   where company_id = $1 and place = $2 and member_id = $2`,
  z.object({ invoice_number: z.string(), source: z.int() }),
)
const moveKey = statement(
  `update receipt_key set place = $4
   where company_id = $1 and invoice_number = $2 and source = $3`,
  z.unknown(),
)

/** What makes a repeat the same receipt. */
export type ReceiptName = { invoiceNumber: string; source: number }
/** Where a receipt is. `hash`: of its content. */
export type ReceiptKey = { place: string; id: string; hash: Buffer }

/** Finds a receipt by its name; null when it is not recorded. */
export function findReceipt(
  tx: Transaction,
  companyId: string,
  { invoiceNumber, source }: ReceiptName,
): Promise<ReceiptKey | null> {
  return tx.maybe(readKey, [companyId, invoiceNumber, source])
}

/** The content hashes of those invoices that are recorded already, by invoice number. */
export async function recordedHashes(
  tx: Transaction,
  companyId: string,
  source: number,
  invoiceNumbers: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = await tx.all(readHashes, [companyId, source, invoiceNumbers])
  return new Map(rows.map((row) => [row.invoice_number, row.content_hash]))
}

/** The names of all receipts of a member. */
export async function receiptsOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<ReceiptName[]> {
  const rows = await tx.all(readNames, [companyId, memberId])
  return rows.map((row) => ({ invoiceNumber: row.invoice_number, source: row.source }))
}

/** Lets the keys of receipts find them at another place, where a merge or its undo moved them. */
export async function moveReceiptKeys(
  tx: Transaction,
  companyId: string,
  receipts: readonly ReceiptName[],
  place: string,
): Promise<void> {
  await Promise.all(
    receipts.map(({ invoiceNumber, source }) =>
      tx.run(moveKey, [companyId, invoiceNumber, source, place]),
    ),
  )
}
