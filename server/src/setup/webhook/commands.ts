import type { Command } from 'commander'
import { SecretVariable } from '../../outbox/definition.ts'
import { inCompany } from '../../company/find.ts'
import { actCommand, print } from '../../database/command.ts'
import type { ActOptions } from '../../process/author.ts'
import { addSecret, dropSecret } from './secrets.ts'

/** `tillside webhook …` */
export function registerWebhooks(program: Command): void {
  const webhook = program.command('webhook').description('Manage the webhooks of a company')
  registerSecrets(webhook)
}

function registerSecrets(webhook: Command): void {
  const secret = webhook.command('secret').description('Replace the secret that signs events')
  const acts = [
    ['add', 'Let a second secret sign events too', addSecret],
    ['drop', 'Drop one of two secrets', dropSecret],
  ] as const
  for (const [verb, does, work] of acts) {
    actCommand(secret, `${verb} <company> <webhook> <variable>`, does).action(
      async (company: string, id: string, variable: string, options: ActOptions) => {
        if (!SecretVariable.safeParse(variable).success) {
          throw new Error('the variable must be WEBHOOK_SECRET or begin with WEBHOOK_SECRET_')
        }
        await inCompany(company, (tx, companyId) => work(tx, companyId, id, variable), options)
        const says = verb === 'add' ? 'now signs' : 'no longer signs'
        print(options.json, { company, webhook: id, variable, signs: verb === 'add' }, [
          `${variable} ${says} the events of ${id}`,
        ])
      },
    )
  }
}
