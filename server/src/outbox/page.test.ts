import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventData, SentEvent, webhookEvents } from '@tillside/contract/integration/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../process/config.ts'
import { repetitionLevel } from '../testing/repetition.ts'
import { debianProgram } from '../testing/servers/debian.ts'
import { signatureOf } from './post.ts'

// tools/docs.slow.test.ts runs the commands of the page.
const page = readFileSync(join(projectRoot, 'docs/webhooks.md'), 'utf8')

/** The blocks of a language, in the order of the page. */
function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return Array.from(page.matchAll(fence), ([, text = '']) => text)
}

test('docs/webhooks.md shows each event as it is sent', () => {
  const shown = blocks('json').map((text) => z.parse(SentEvent, JSON.parse(text)))
  expect(shown.map(({ event }) => event).toSorted()).toEqual(webhookEvents.toSorted())
  for (const { event, data } of shown) {
    const { memberCode: _, ...rest } = data
    const schema = eventData[z.parse(z.enum(webhookEvents), event)]
    const { error } = schema.safeParse(event === 'member.erased' ? data : rest)
    expect([event, error?.issues]).toEqual([event, undefined])
    expect(page).toContain(`### \`${event}\``)
  }
})

/** A program of the page: the files to write, and the command, before the arguments of a check. */
type Program = {
  language: string
  needs: string
  /** The package of Debian that has it, installed by the long runs. */
  debianPackage?: string
  files: (code: string) => Record<string, string>
  compile?: readonly string[]
  run: readonly string[]
}
const node = process.execPath
const programs: Program[] = [
  {
    language: 'js',
    needs: node,
    files: (code) => ({
      'page.mjs': code,
      'check.mjs': `import { readFileSync } from 'node:fs'
        import { isGenuine } from './page.mjs'
        const [secret, timestamp, signatures, file] = process.argv.slice(2)
        process.exit(isGenuine(secret, timestamp, signatures, readFileSync(file)) ? 0 : 1)`,
    }),
    run: [node, 'check.mjs'],
  },
  {
    language: 'python',
    needs: 'python3',
    files: (code) => ({
      'check.py': `${code}
import sys
with open(sys.argv[4], "rb") as file:
    sys.exit(0 if is_genuine(*sys.argv[1:4], file.read()) else 1)
`,
    }),
    run: ['python3', 'check.py'],
  },
  {
    language: 'php',
    needs: '/usr/bin/php',
    debianPackage: 'php-cli',
    files: (code) => ({
      'check.php': `${code}
array_shift($argv);
exit(is_genuine($argv[0], $argv[1], $argv[2], file_get_contents($argv[3])) ? 0 : 1);
`,
    }),
    run: ['php', 'check.php'],
  },
  {
    language: 'java',
    needs: '/usr/bin/javac',
    debianPackage: 'default-jdk-headless',
    files: (code) => ({
      'Webhook.java': code,
      'Check.java': `class Check {
        public static void main(String[] a) throws Exception {
          byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(a[3]));
          System.exit(Webhook.isGenuine(a[0], a[1], a[2], body) ? 0 : 1);
        }
      }`,
    }),
    compile: ['javac', 'Check.java', 'Webhook.java'],
    run: ['java', 'Check'],
  },
  {
    language: 'sh',
    needs: 'openssl',
    files: (code) => ({ 'check.sh': `${code}\nis_genuine "$@"` }),
    run: ['bash', 'check.sh'],
  },
]

const secret = 'a secret of the test, long enough'
const body = '{"id":"1","data":{"name":"陳美玲","text":"100% \\"\\n"}}'
const now = () => Math.floor(Date.now() / 1000)
const sign = (timestamp: number, by = secret, text = body) =>
  `v1=${signatureOf(by, String(timestamp), text)}`

/** `npm test` on a machine without the language checks the others; the long runs check all. */
function isInstalled({ needs, debianPackage }: Program): boolean {
  if (repetitionLevel !== 'short' && debianPackage !== undefined)
    debianProgram(needs, debianPackage)
  return spawnSync(needs, ['--version']).error === undefined
}

describe.each(programs)('the code of the page in $language', (program) => {
  const isThere = isInstalled(program)
  const folder = mkdtempSync(join(tmpdir(), 'tillside-webhook-'))
  beforeAll(() => {
    const code = blocks(program.language).find((text) => /is_?genuine/i.test(text)) ?? ''
    for (const [name, text] of Object.entries(program.files(code))) {
      writeFileSync(join(folder, name), text)
    }
    const [command, ...words] = program.compile ?? []
    if (isThere && command !== undefined) execFileSync(command, words, { cwd: folder })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function accepts(timestamp: number | string, signatures: string, text = body): boolean {
    writeFileSync(join(folder, 'body'), text)
    const [command = '', ...words] = program.run
    const given = [...words, secret, String(timestamp), signatures, 'body']
    const { status, stderr } = spawnSync(command, given, { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([expect.toBeOneOf([0, 1]), ''])
    return status === 0
  }

  test.skipIf(!isThere)('accepts what the server signs, also with two secrets', () => {
    const other = sign(now(), 'the other secret, long enough')
    expect(accepts(now(), sign(now()))).toBe(true)
    expect(accepts(now(), `${other},${sign(now())}`)).toBe(true)
    expect(accepts(now(), `${sign(now())},${other}`)).toBe(true)
  })

  test.skipIf(!isThere)('refuses what is altered, old or signed by another', () => {
    const at = now()
    expect(accepts(at, sign(at), body.replace('1', '2'))).toBe(false)
    expect(accepts(at, sign(at, 'the other secret, long enough'))).toBe(false)
    expect(accepts(at, '')).toBe(false)
    expect(accepts(at, sign(at).slice(0, -1))).toBe(false)
    // A recorded request that is sent again later, with its own time or a new one.
    expect(accepts(at - 301, sign(at - 301))).toBe(false)
    expect(accepts(at + 330, sign(at + 330))).toBe(false)
    expect(accepts(at, sign(at - 301))).toBe(false)
  })
})
