import { useEffect, useRef } from 'react'
import { session } from '../call/session.ts'

// The unsaved input of a form whose session was lost. It is customer data, so it is kept in memory
// only, for the same clerk, and for a limited time.

type Draft = { account: string; values: unknown; at: number }

const keptForMs = 10 * 60_000
const drafts = new Map<string, Draft>()
const forms = new Map<string, () => unknown>()

/** Saves the input of all open forms; called when the session is lost, not at a logout. */
export function keepDrafts(now = Date.now()): void {
  const account = session.get()?.staff.account
  if (account === undefined) return
  for (const [name, read] of forms) {
    const values = read()
    // A copy, because the form continues to change its own object.
    if (values !== null) drafts.set(name, { account, values: structuredClone(values), at: now })
  }
}

/** Deletes all drafts, because the clerk has logged out. */
export function forgetDrafts(): void {
  drafts.clear()
}

/**
 * The draft of this form if it belongs to the current clerk, else null. It is deleted only when the
 * form is mounted, because a form may be rendered more than once before that.
 */
export function takeDraft(name: string, now = Date.now()): unknown {
  const draft = drafts.get(name)
  if (draft === undefined || now - draft.at > keptForMs) return null
  return draft.account === session.get()?.staff.account ? draft.values : null
}

/** Whether a form has input that would be lost by leaving the page. */
export function hasUnsavedForm(): boolean {
  return [...forms.values()].some((read) => read() !== null)
}

/**
 * Keeps the input of a form when the session is lost: fill the form with `takeDraft(name)` when it
 * opens.
 * @param read returns the input without passwords and codes, or null if there is none
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
