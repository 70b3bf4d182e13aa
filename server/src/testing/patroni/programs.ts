import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The programs of a Patroni cluster, as Debian installs them. */
export type Programs = {
  etcd: string
  patroni: string
  haproxy: string
  /** The folder of PostgreSQL's programs. */
  bin: string
}

// Patroni needs the last one to speak to etcd, and its package only recommends it.
const fromDebian = [
  ['/usr/bin/etcd', 'etcd-server'],
  ['/usr/bin/patroni', 'patroni'],
  ['/usr/sbin/haproxy', 'haproxy'],
  ['/usr/lib/python3/dist-packages/etcd', 'python3-etcd'],
] as const

/** The supported versions, the newest first. Debian 13 has 17. */
const versions = [18, 17, 16]

/** Finds the programs, and names each package that is missing. Nothing is installed. */
export function findPrograms(): { programs: Programs } | { missing: string } {
  const bins = versions.map((version) => `/usr/lib/postgresql/${version}/bin`)
  const bin = bins.find((folder) => existsSync(`${folder}/pg_basebackup`))
  const missing: string[] = fromDebian.flatMap(([path, name]) => (existsSync(path) ? [] : [name]))
  if (bin !== undefined && missing.length === 0) {
    const [[etcd], [patroni], [haproxy]] = fromDebian
    return { programs: { etcd, patroni, haproxy, bin } }
  }
  if (bin === undefined) missing.push('postgresql-17 (or 16, 18; Debian 12 has only 15)')
  return { missing: missing.join(', ') }
}

/** Whether the extension Citus is installed for this PostgreSQL. */
export function hasCitus({ bin }: Programs): boolean {
  const shared = execFileSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim()
  return existsSync(join(shared, 'extension/citus.control'))
}
