import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getuid } from 'node:process'

/** Installs Debian's packages where that is allowed. @returns whether they are there now */
export function installPackages(names: readonly string[]): boolean {
  if (getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  process.stderr.write(`Installing ${names.join(', ')} (a minute or two) …\n`)
  return [['update'], ['install', '-y', ...names]].every((words) => {
    const { status } = spawnSync('apt-get', ['-q', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return status === 0
  })
}
