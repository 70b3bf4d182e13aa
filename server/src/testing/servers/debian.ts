import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'

/**
 * A program of Debian, installed if the process may do so.
 * @param place the path of the program in its package
 * @throws Error with the command that installs it: a test without it must not pass
 */
export function debianProgram(place: string, debianPackage: string): string {
  if (existsSync(place)) return place
  if (getuid?.() === 0 && existsSync('/etc/debian_version')) {
    // Test files run concurrently, and apt does not wait for its lock in every case.
    const install = `apt-get -q update &&
      apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$0"`
    spawnSync('flock', [join(tmpdir(), 'tillside-apt.lock'), 'sh', '-c', install, debianPackage], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  if (existsSync(place)) return place
  throw new Error(`this test needs ${place}: apt-get install ${debianPackage}`)
}
