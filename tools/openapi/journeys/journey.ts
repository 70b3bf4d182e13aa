import { strictEqual as equal, ok } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isGenuine } from './genuine.mjs'

/** The calls of the journey, as each generated client makes them. */
export type Till = {
  find(countryCode: string, mobile: string): Promise<{ memberCode: string; usable: number }>
  calculate(receipt: Receipt): Promise<number | null>
  redeem(memberCode: string, couponCode: string, invoiceNumber: string): Promise<string>
  spend(memberCode: string, points: number, receipt: Receipt): Promise<string>
  send(receipts: Receipt[]): Promise<{ created: number; points: (number | null)[] }>
  /** One page of the points history: the number of entries, and the next page. */
  history(memberCode: string, after: string | undefined): Promise<[number, string | null]>
  cancel(memberCode: string, entryId: string): Promise<number | null>
  undo(memberCode: string, couponCode: string): Promise<string>
  /** The invoice number and the points of an event `transaction.recorded`; null for another one. */
  recorded(body: string): [invoiceNumber: string, points: number] | null
  /** The status and the problem's `code` of a redemption that is refused. */
  refused(memberCode: string, couponCode: string): Promise<[number, string]>
}

export type Receipt = {
  invoiceNumber: string
  source: number
  memberCode: string
  storeCode: string
  status: 'completed'
  invoiceType: 'sale' | 'return'
  occurredAt: string
  totalAmount: string
  netSpend: string
  items: Line[]
  original?: { invoiceNumber: string; source: number }
}
type Line = {
  skuCode: string
  skuName: string
  price: string
  quantity: string
  total: string
  discount: string
  spend: string
}

const { BASE = '', KEY = '', MOBILE = '', COUPON = '', RUN = '' } = process.env
const { SECRET = '', RECEIVER_PORT = '' } = process.env
export const base = BASE
export const authorization = `Bearer ${KEY}`

/** A sale with loyalty from the first look-up to the return, with one page of history at a time. */
export async function journey(till: Till): Promise<void> {
  const receiver = await startReceiver()
  try {
    await makeSale(till, receiver)
  } finally {
    receiver.close()
  }
}

async function makeSale(till: Till, receiver: Receiver): Promise<void> {
  const { memberCode, usable } = await till.find('852', MOBILE)
  ok(usable >= 500)
  const sale = receiptOf(memberCode, 'sale', ['TEA', 'MUG'])
  const foreseen = await till.calculate(sale)
  equal(await till.redeem(memberCode, COUPON, sale.invoiceNumber), 'USED')
  const [status, code] = await till.refused(memberCode, COUPON)
  equal(`${status} ${code}`, '409 couponUsed')
  const entryId = await till.spend(memberCode, 500, sale)
  const sent = await till.send([sale])
  equal(sent.created, 1)
  equal(sent.points[0], foreseen)
  equal(await receiver.pointsOf(till, sale.invoiceNumber), sent.points[0])
  const back = receiptOf(memberCode, 'return', ['MUG'], sale)
  const taken = await till.send([back])
  equal(taken.created, 1)
  equal(await receiver.pointsOf(till, back.invoiceNumber), taken.points[0])

  let [entries, after] = await till.history(memberCode, undefined)
  while (after !== null) {
    const [more, next] = await till.history(memberCode, after)
    entries += more
    after = next
  }
  ok(entries >= 4, `${entries} entries`)

  const second = receiptOf(memberCode, 'sale', ['TEA'])
  const other = await till.spend(memberCode, 500, second)
  ok(other !== entryId)
  ok((await till.cancel(memberCode, other)) !== null)
  equal(await till.undo(memberCode, COUPON), 'ISSUED')
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver of webhooks as docs/webhooks.md describes it, with the page's own code. */
async function startReceiver() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const header = (name: string) => String(request.headers[`tillside-${name}`])
    const isSigned = (bytes: Buffer) =>
      isGenuine(SECRET, header('timestamp'), header('signature'), bytes)
    ok(isSigned(body) && !isSigned(Buffer.concat([body, body])))
    response.writeHead(204).end()
    bodies.push(body.toString())
  })
  server.listen(Number(RECEIVER_PORT), '127.0.0.1')
  await once(server, 'listening')
  return {
    /** Waits for the event of a receipt. */
    async pointsOf(till: Till, invoiceNumber: string): Promise<number> {
      for (const end = Date.now() + 30_000; Date.now() < end; await sleep(20)) {
        for (const body of bodies) {
          const [about, points = 0] = till.recorded(body) ?? []
          if (about === invoiceNumber) return points
        }
      }
      throw new Error(`no event about ${invoiceNumber}`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

let number = 0

function receiptOf(
  memberCode: string,
  invoiceType: Receipt['invoiceType'],
  goods: string[],
  original?: Receipt,
): Receipt {
  const sign = invoiceType === 'return' ? '-' : ''
  const items = goods.map((skuCode) => ({
    skuCode,
    skuName: `Goods ${skuCode}`,
    price: '100.00',
    quantity: `${sign}1`,
    total: `${sign}100.00`,
    discount: '0.00',
    spend: `${sign}100.00`,
  }))
  const money = `${sign}${goods.length * 100}.00`
  return {
    invoiceNumber: `J-${RUN}-${++number}`,
    source: 100000028,
    memberCode,
    storeCode: 'S1',
    status: 'completed',
    invoiceType,
    occurredAt: new Date().toISOString().replace(/\.\d+/, ''),
    totalAmount: money,
    netSpend: money,
    items,
    ...(original === undefined
      ? {}
      : { original: { invoiceNumber: original.invoiceNumber, source: original.source } }),
  }
}
