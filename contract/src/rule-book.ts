import * as z from 'zod/mini'
import { endpoint, nothing } from './wire/endpoint.ts'
import { Language } from './wire/language.ts'
import { CalendarDay } from './wire/shapes.ts'

/** A part of a rule book. Its examples are worked by the engine's own functions. */
export const RuleSection = z.object({
  title: z.string(),
  /** One paragraph; empty if there is none. */
  text: z.string(),
  list: z.array(z.string()),
  table: z.nullable(z.object({ head: z.array(z.string()), rows: z.array(z.array(z.string())) })),
  examples: z.array(z.string()),
})
export type RuleSection = z.infer<typeof RuleSection>

/** A company's rules of points and tiers, written for people. */
export const RuleBook = z.object({
  language: Language,
  title: z.string(),
  /** The revision of the settings that it was made from, in words; for the command's pages. */
  source: z.string(),
  /** The company's day of the examples. */
  day: CalendarDay,
  /** The word before an example. */
  example: z.string(),
  sections: z.array(RuleSection),
})
export type RuleBook = z.infer<typeof RuleBook>

/** In the language of the request. Customers may read it, so every clerk may. */
export const getRuleBook = endpoint({
  method: 'GET',
  path: '/connector/config/ruleBook',
  access: 'staff',
  needsKey: false,
  input: nothing,
  data: RuleBook,
  refusals: [],
})
