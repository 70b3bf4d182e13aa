import * as z from 'zod/mini'
import { writeAudit } from '../../database/audit.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { changeDefinition } from '../revision/history.ts'

const readWebhook = statement(
  `select secret_variable as first, second_secret_variable as second from webhook
   where company_id = $1 and webhook_id = $2 and not stopped`,
  z.object({ first: z.string(), second: z.nullable(z.string()) }),
)
const setVariables = statement(
  `update webhook set secret_variable = $3, second_secret_variable = $4
   where company_id = $1 and webhook_id = $2`,
  z.unknown(),
)

/**
 * Lets a second secret sign the events of a webhook, so that its receiver can move to it.
 * @param variable the environment variable of the server that holds it
 * @throws Error when there is no such webhook, or it has two secrets already
 */
export function addSecret(
  tx: Transaction,
  companyId: string,
  webhookId: string,
  variable: string,
): Promise<void> {
  return change(tx, companyId, webhookId, 'add', variable, ({ first, second }) => {
    if (first === variable || second === variable) return null
    if (second !== null) {
      throw new Error(`webhook "${webhookId}" has two secrets: drop ${first} or ${second} first`)
    }
    return { first, second: variable }
  })
}

/**
 * Drops one of two secrets; from then on the other one signs alone.
 * @throws Error when there is no such webhook or secret, or it is the only one
 */
export function dropSecret(
  tx: Transaction,
  companyId: string,
  webhookId: string,
  variable: string,
): Promise<void> {
  return change(tx, companyId, webhookId, 'drop', variable, ({ first, second }) => {
    if (first !== variable && second !== variable) {
      throw new Error(`webhook "${webhookId}" has no secret ${variable}`)
    }
    if (second === null) {
      throw new Error(`${variable} is the only secret of webhook "${webhookId}": add one first`)
    }
    return { first: first === variable ? second : first, second: null }
  })
}

type Variables = z.infer<typeof readWebhook.row>

async function change(
  tx: Transaction,
  companyId: string,
  webhookId: string,
  verb: 'add' | 'drop',
  variable: string,
  decide: (before: Variables) => Variables | null,
): Promise<void> {
  await changeDefinition(tx, companyId, 'webhook', async () => {
    const before = await tx.maybe(readWebhook, [companyId, webhookId])
    if (before === null) throw new Error(`there is no webhook "${webhookId}"`)
    const after = decide(before)
    if (after === null) return []
    await tx.run(setVariables, [companyId, webhookId, after.first, after.second])
    return [`${verb} secret of webhook ${webhookId}: ${variable}`]
  })
  const actor = { company: { id: companyId }, staff: null, store: null }
  const action = verb === 'add' ? 'webhook.secretAdd' : 'webhook.secretDrop'
  writeAudit(tx, actor, 'command', { action, memberId: null, details: { webhookId, variable } })
}
