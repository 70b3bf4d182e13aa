import { createInterface } from 'node:readline/promises'

/**
 * Asks a question on the terminal. Only the answer `yes` confirms it.
 * @returns false also without a terminal, so that a script never waits for an answer
 */
export async function confirmOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`${question} Type yes: `)).trim().toLowerCase() === 'yes'
  } finally {
    terminal.close()
  }
}
