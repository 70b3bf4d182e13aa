import {
  type Customer,
  type Order,
  type Preview,
  Refusal,
  type Return,
  type Sale,
} from '../goods.ts'

/** A call that did not succeed. `isFinal`: it has no effect and a repeat would fail too. */
export class CallFailed extends Error {
  readonly isFinal: boolean
  constructor({ message, isFinal }: Refusal) {
    super(message)
    this.isFinal = isFinal
  }
}

export const api = {
  find: (countryCode: string, mobile: string) =>
    post<Customer>('customer', { countryCode, mobile }),
  preview: (order: Order) => post<Preview>('preview', order),
  sell: (order: Order) => post<Sale>('sell', order),
  takeBack: (invoiceNumber: string, sku: string, at: string) =>
    post<Return>('return', { invoiceNumber, sku, at }),
}

async function post<T>(call: string, body: object): Promise<T> {
  const response = await fetch(`/api/${call}`, {
    method: 'POST',
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null || response.status === 500) {
    throw new CallFailed({ message: 'The till’s server does not answer.', isFinal: false })
  }
  const data = await response.json()
  if (!response.ok) throw new CallFailed(Refusal.parse(data))
  // The page and its server are one program, and the server's answers have these types.
  return data
}

/** The text of a failed call for the cashier. @throws anything else: it is a bug */
export function messageOf(error: unknown): string {
  if (error instanceof CallFailed) return error.message
  throw error
}
