import { session } from '../kit/call/session.ts'

/** Which display a message is for: its company, the clerk's account, and a random id. */
export type DisplayAddress = { company: string; staff: string; display: string }

/** The name under which a tab stores the display that it opened for this clerk. */
export const displayKey = (account: string) => session.keyOf(`display:${account}`)
