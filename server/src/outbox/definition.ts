import { webhookEvents } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'

/** The name of the server's environment variable with a secret that signs the events. */
export const SecretVariable = z.string().check(z.regex(/^WEBHOOK_SECRET(_[A-Z0-9]+)*$/))

/** A system of the company that receives events about members. */
export const Webhook = z
  .strictObject({
    id: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/)),
    /** HTTPS; plain HTTP only for the same machine. */
    url: z
      .string()
      .check(
        z.maxLength(500),
        z.regex(/^(https:\/\/[^\s/@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?)(\/\S*)?$/),
      ),
    secretVariable: SecretVariable,
    /** Signs the events too, while a secret is replaced. */
    secondSecretVariable: z._default(z.nullable(SecretVariable), null),
    events: z.array(z.enum(webhookEvents)).check(z.minLength(1)),
  })
  .check(
    z.refine((webhook) => webhook.secondSecretVariable !== webhook.secretVariable, {
      path: ['secondSecretVariable'],
      error: 'is also the first secret',
    }),
  )
