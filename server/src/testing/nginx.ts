import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/endpoint'
import { projectRoot } from '../kit/config.ts'
import type { Answer } from './company.ts'
import { debianProgram } from './debian.ts'
import { lastingPort } from './port.ts'

type Sent = { headers?: Record<string, string>; from?: string }

/** Debian's nginx with the configuration that operators are given. */
export type Nginx = {
  /** Posts over TLS as a browser does; `from` is the client's own address. */
  post(endpoint: Endpoint, input: unknown, sent?: Sent): Promise<Answer>
  /** What it has written of its requests so far. */
  log(): Promise<string>
  /** What an address of a page or a probe answers. */
  get(path: string, headers?: Record<string, string>): Promise<Got>
  close(): Promise<void>
}

type Got = { status: number; headers: IncomingHttpHeaders; text: string }

/** Starts nginx before these two ports, with a certificate of its own. */
export async function startNginx(upstreams: readonly [number, number]): Promise<Nginx> {
  const program = debianProgram('/usr/sbin/nginx', 'nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'tillside-nginx-'))
  const [port, plainPort] = [await lastingPort(), await lastingPort()]
  const certificate = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const subject = ['-nodes', '-days', '2', '-subj', '/CN=counter.example.com']
  execFileSync(
    debianProgram('/usr/bin/openssl', 'openssl'),
    [...certificate, ...files, ...subject],
    { stdio: 'ignore' },
  )
  const site = changed(await readFile(join(projectRoot, 'ops/nginx.conf'), 'utf8'), [
    ['127.0.0.1:8081', `127.0.0.1:${upstreams[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${upstreams[1]}`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/var/log/nginx/tillside.log', join(folder, 'access.log')],
    ['/var/log/nginx/tillside-error.log', join(folder, 'site-error.log')],
    ['/etc/letsencrypt/live/counter.example.com/fullchain.pem', join(folder, 'fullchain.pem')],
    ['/etc/letsencrypt/live/counter.example.com/privkey.pem', join(folder, 'privkey.pem')],
  ])
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; user root; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
     events {}
     http {
       access_log off;
       ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
       include ${folder}/site.conf;
     }`,
  )
  const settings = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')]
  const child = spawn(program, settings, { stdio: 'inherit' })
  const ended = new Promise((done) => child.once('close', done))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start')
  }
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
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @throws Error when a part is not there: then the test would run another file than operators */
function changed(text: string, parts: readonly (readonly [string, string])[]): string {
  return parts.reduce((left, [before, after]) => {
    if (left.split(before).length !== 2) throw new Error(`nginx.conf has not one "${before}"`)
    return left.replace(before, after)
  }, text)
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), done(true)))
    socket.once('error', () => setTimeout(() => done(false), 20))
  })
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
