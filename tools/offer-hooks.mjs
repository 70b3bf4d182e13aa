// Runs after `npm install`: prints how to check commit subjects. It changes no settings.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { stdout } = spawnSync('git', ['config', 'core.hooksPath'], { cwd: root, encoding: 'utf8' })
const isOff = existsSync(join(root, '.git')) && stdout?.trim() !== 'tools/hooks'
if (isOff && process.env['CI'] === undefined) {
  process.stdout.write(
    'To check the length of commit subjects: git config core.hooksPath tools/hooks\n',
  )
}
