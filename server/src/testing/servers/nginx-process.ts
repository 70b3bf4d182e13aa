import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../process/config.ts'
import { debianProgram } from './debian.ts'
import { freePort } from './port.ts'

export type NginxTerms = {
  /** The maximum of concurrent requests to one port; the default is that of ops/nginx.conf. */
  most?: number
  /** Without TLS and with one worker, for clients that need to be cheap. */
  plain?: boolean
}

export type RunningNginx = { port: number; folder: string; close(): Promise<void> }

/**
 * Runs Debian's nginx with ops/nginx.conf in front of these two ports. Its certificate and logs are
 * in `folder`.
 */
export async function runNginx(
  upstreams: readonly [number, number],
  { most = 390, plain = false }: NginxTerms = {},
): Promise<RunningNginx> {
  const program = debianProgram('/usr/sbin/nginx', 'nginx-light')
  const folder = await mkdtemp(join(tmpdir(), 'tillside-nginx-'))
  const [port, plainPort] = [await freePort(), await freePort()]
  makeCertificate(folder)
  const site = changed(await readFile(join(projectRoot, 'ops/nginx.conf'), 'utf8'), [
    ...upstreams.flatMap((upstream, n) => [
      [`127.0.0.1:${8081 + n} max_fails=0;`, `127.0.0.1:${upstream} max_fails=0;`] as const,
      [
        `127.0.0.1:${8081 + n} max_fails=0 max_conns=390`,
        `127.0.0.1:${upstream} max_fails=0 max_conns=${most}`,
      ] as const,
      [
        `127.0.0.1:${8081 + n} max_fails=0 max_conns=290`,
        `127.0.0.1:${upstream} max_fails=0 max_conns=${Math.min(most, 290)}`,
      ] as const,
    ]),
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port}${plain ? '' : ' ssl http2'};`],
    ['/var/log/nginx/tillside.log', join(folder, 'access.log')],
    ['/var/log/nginx/tillside-error.log', join(folder, 'site-error.log')],
    ['/etc/letsencrypt/live/counter.example.com/fullchain.pem', join(folder, 'fullchain.pem')],
    ['/etc/letsencrypt/live/counter.example.com/privkey.pem', join(folder, 'privkey.pem')],
  ])
  await writeFile(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; user root; worker_processes ${plain ? 1 : 2};
     pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 4096; }
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
  return {
    port,
    folder,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(folder: string): void {
  const certificate = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const subject = ['-nodes', '-days', '2', '-subj', '/CN=counter.example.com']
  execFileSync(
    debianProgram('/usr/bin/openssl', 'openssl'),
    [...certificate, ...files, ...subject],
    { stdio: 'ignore' },
  )
}

/** @throws Error if a part is missing: the test would then not run the file for operators */
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
