import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createProgram } from '../../server/src/cli.ts'
import { root } from '../setup.mjs'
import { type Block, commandsOf, textOf } from './blocks.ts'

type Command = ReturnType<typeof createProgram>

// Checks of a command that does not run: its programs, subcommands and options exist.

/** Programs of Debian packages that the pages install. */
const ofPackages = new Set(
  'apt-get certbot createdb createuser nginx patronictl runuser'.split(' '),
)
const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts

/** Finds problems of a block without running it. @returns a line for each */
export function problemsOfBlock(block: Block): string[] {
  if (block.language !== 'sh') return []
  return commandsOf(block).flatMap(({ line, text }) =>
    simpleCommands(text).flatMap((words) => {
      const problem = problemOf(words) ?? missingProgram(words)
      return problem === null ? [] : [`${block.page}:${line}: ${problem}`]
    }),
  )
}

/** Finds problems of the commands that a page names between backquotes in its sentences. */
export function problemsOfSentences(page: string): string[] {
  const text = textOf(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, (fence) =>
    fence.replaceAll(/./g, ''),
  )
  const named = /`((?:[A-Z_]+=\S* )*(?:npx |npm |tillside )[^`]+)`/g
  return [...text.matchAll(named)].flatMap(({ 1: command = '', index }) => {
    const line = text.slice(0, index).split('\n').length
    return simpleCommands(command.replaceAll(/<[^>]*>/g, 'x')).flatMap((words) => {
      const problem = problemOf(words)
      return problem === null ? [] : [`${page}:${line}: ${problem}`]
    })
  })
}

/** The words of each command of a line, without assignments, redirections and comments. */
function simpleCommands(text: string): string[][] {
  const token = /'[^']*'|"[^"]*"|#.*|&&|\|\||[|;&\n]|\\\n|(?:[^\s'"|;&\\]|\\.)+/g
  const commands: string[][] = [[]]
  for (const [part] of text.matchAll(token)) {
    if (/^(&&|\|\||[|;&\n])$/.test(part)) commands.push([])
    else if (!part.startsWith('#') && part !== '\\\n') commands.at(-1)?.push(part)
  }
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0)
}

function problemOf(words: readonly string[]): string | null {
  const [program, ...rest] = words[0] === 'npx' ? words.slice(1) : words
  if (program === 'tillside') return problemOfTillside(createProgram(), rest)
  if (program !== 'npm') return null
  const [verb = '', name = ''] = rest
  const script = verb === 'run' ? name : ['start', 'test'].includes(verb) ? verb : null
  return script === null || script in scripts ? null : `package.json has no script ${script}`
}

/** Asks the parser of the command line which subcommands and options it has. */
function problemOfTillside(command: Command, words: readonly string[]): string | null {
  const [first = '', ...rest] = words
  const inner = command.commands.find((one) => one.name() === first)
  if (inner !== undefined) return problemOfTillside(inner, rest)
  if (command.commands.length > 0) {
    const isGroup = words.length === 0 || first === '…' || first === 'x' || first === '--help'
    return isGroup ? null : `tillside has no command ${command.name()} ${first}`
  }
  const options = words.filter((word) => word.startsWith('--') && word !== '--help')
  const unknown = options.find((word) => !command.options.some(({ long }) => long === word))
  return unknown === undefined ? null : `${command.name()} has no option ${unknown}`
}

function missingProgram([program = '']: readonly string[]): string | null {
  if (ofPackages.has(program) || existsSync(join(root, program))) return null
  const { status } = spawnSync('bash', ['-c', 'type "$0"', program], { stdio: 'ignore' })
  return status === 0 ? null : `there is no program ${program}`
}
