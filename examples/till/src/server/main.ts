// Serves the page of the till and its calls. The API key stays here: a page would show it.
//   TILLSIDE  address of the interface (default: the product of `npm start` on this machine)
//   KEY       an API key for one store
//   STORE     the code of that store
//   PORT      default 8090
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { json } from 'node:stream/consumers'
import { createTillside, TillsideProblem } from '@tillside/client'
import * as z from 'zod/mini'
import { Order, type Refusal, type Sale } from '../goods.ts'
import { findCustomer } from './customer.ts'
import { isFinal, preview, sell, takeBack } from './sale.ts'

const { TILLSIDE = 'http://127.0.0.1:8080/integration/v1', KEY = '', STORE = 'NY001' } = process.env
const port = Number(process.env['PORT'] ?? 8090)
const shop = {
  tillside: createTillside({ baseUrl: TILLSIDE, key: KEY, store: STORE }),
  store: STORE,
}
/** The sales of this shift, by their number. A real till has them in its own database. */
const sales = new Map<string, Sale>()

const Find = z.object({ countryCode: z.string(), mobile: z.string() })
const TakeBack = z.object({ invoiceNumber: z.string(), sku: z.string(), at: z.iso.datetime() })

/** The calls of the page; each parses its body. */
const calls: Record<string, (body: unknown) => Promise<unknown>> = {
  '/api/customer': (body) => findCustomer(shop.tillside, Find.parse(body)),
  '/api/preview': (body) => preview(shop, Order.parse(body)),
  '/api/sell': async (body) => {
    const sale = await sell(shop, Order.parse(body))
    sales.set(sale.invoiceNumber, sale)
    return sale
  },
  '/api/return': async (body) => {
    const { invoiceNumber, sku, at } = TakeBack.parse(body)
    const sale = sales.get(invoiceNumber)
    if (sale === undefined) throw new Error(`there is no sale ${invoiceNumber}`)
    return takeBack(shop, sale, sku, at)
  },
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://till')
  const call = calls[pathname]
  const answered =
    call === undefined ? sendFile(pathname, response) : answer(call, request, response)
  answered.catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    response.writeHead(500).end()
  })
})

async function answer(
  call: (body: unknown) => Promise<unknown>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, data: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(data))
  try {
    send(200, await call(await json(request)))
  } catch (error) {
    const refusal: Refusal = { message: messageOf(error), isFinal: isFinal(error) }
    send(refusal.isFinal ? 409 : 503, refusal)
  }
}

function messageOf(error: unknown): string {
  if (error instanceof TillsideProblem) {
    return error.errors[0]?.detail ?? error.message
  }
  return 'Tillside does not answer. The sale may be repeated safely.'
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

async function sendFile(pathname: string, response: ServerResponse): Promise<void> {
  const file = normalize(pathname === '/' ? '/index.html' : pathname)
  const found = await readFile(join(import.meta.dirname, '../../dist', file)).catch(() => null)
  if (found === null) return void response.writeHead(404).end()
  response
    .writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': "default-src 'self'; style-src 'self'; img-src data:",
    })
    .end(found)
}

server.listen(port, '127.0.0.1', () => {
  const address = server.address()
  const opened = typeof address === 'object' ? address?.port : port
  process.stdout.write(`The example till is ready at http://127.0.0.1:${opened}\n`)
})
