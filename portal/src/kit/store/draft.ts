import { useEffect, useRef } from 'react'
import { session } from '../call/session.ts'

// What stood in a half-filled form when the session was lost. In memory only, for the same clerk,
// and not for long: it is a customer's.

type Draft = { account: string; values: unknown; at: number }

const keptForMs = 10 * 60_000
const drafts = new Map<string, Draft>()
const forms = new Map<string, () => unknown>()

/** Keeps what is typed into the open forms; called when the session is lost, not at a logout. */
export function keepDrafts(now = Date.now()): void {
  const account = session.get()?.staff.account
  if (account === undefined) return
  for (const [name, read] of forms) {
    const values = read()
    // A copy: the form's own object goes on living with it.
    if (values !== null) drafts.set(name, { account, values: structuredClone(values), at: now })
  }
}

/** Forgets what was kept: the clerk left of their own accord. */
export function forgetDrafts(): void {
  drafts.clear()
}

/**
 * What the clerk had typed into the form of this name; null for anybody else. It is told until the
 * form stands: React may begin one more than once.
 */
export function takeDraft(name: string, now = Date.now()): unknown {
  const draft = drafts.get(name)
  if (draft === undefined || now - draft.at > keptForMs) return null
  return draft.account === session.get()?.staff.account ? draft.values : null
}

/** Whether a form holds something that leaving would lose. */
export function hasUnsavedForm(): boolean {
  return [...forms.values()].some((read) => read() !== null)
}

/**
 * Lets a form survive a lost session: fill it with `takeDraft(name)` when it opens.
 * @param read what is typed, without passwords and codes; null while nothing is
 */
export function useDraft(name: string, read: () => unknown): void {
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  useEffect(() => {
    const form = () => latest.current()
    forms.set(name, form)
    drafts.delete(name)
    return () => {
      if (forms.get(name) === form) forms.delete(name)
    }
  }, [name])
}
