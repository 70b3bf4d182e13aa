import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import type { Answer } from '../factories/company.ts'
import { type NginxTerms, runNginx } from './nginx-process.ts'

type Sent = { headers?: Record<string, string>; from?: string }

/** Debian's nginx with ops/nginx.conf. */
export type Nginx = {
  /** Posts over TLS as a browser does; `from` is the client's address. */
  post(endpoint: Endpoint, input: unknown, sent?: Sent): Promise<Answer>
  /** Its access and error logs so far. */
  log(): Promise<string>
  /** Requests a page or a health check. */
  get(path: string, headers?: Record<string, string>): Promise<Got>
  close(): Promise<void>
}

type Got = { status: number; headers: IncomingHttpHeaders; text: string }

/** Starts nginx as operators do, and connects over TLS. */
export async function startNginx(
  upstreams: readonly [number, number],
  terms: NginxTerms = {},
): Promise<Nginx> {
  const running = await runNginx(upstreams, terms)
  const { port, folder } = running
  const agent = new Agent({ keepAlive: true, ca: await readFile(join(folder, 'fullchain.pem')) })
  return {
    async post(endpoint, input, { headers = {}, from } = {}) {
      const json = { 'content-type': 'application/json', ...headers }
      const sent = { method: 'POST', path: basePath + endpoint.path, headers: json, from }
      const { status, text } = await ask(agent, port, sent, JSON.stringify(input))
      const answer = Envelope.safeParse(parsed(text))
      if (answer.success) return { status, ...answer.data }
      throw new Error(`${endpoint.path} was answered ${status}: ${text}`)
    },
    get: (path, headers = {}) => ask(agent, port, { method: 'GET', path, headers }, ''),
    log: async () => {
      const names = ['access.log', 'site-error.log', 'error.log']
      return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('')
    },
    async close() {
      agent.destroy()
      await running.close()
    },
  }
}

type Request = {
  method: string
  path: string
  headers: Record<string, string>
  from?: string | undefined
}

function ask(agent: Agent, port: number, sent: Request, body: string): Promise<Got> {
  const { from, headers, ...rest } = sent
  return new Promise((done, failed) => {
    const call = request(
      {
        ...rest,
        agent,
        host: '127.0.0.1',
        port,
        servername: 'counter.example.com',
        headers: { host: 'counter.example.com', ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.once('error', failed)
        response.once('end', () =>
          done({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    call.once('error', failed)
    call.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
