// A product whose read-only calls write no audit rows, to compare with: `node --import` this file.
import { registerHooks } from 'node:module'
import type { AuditBatch } from '@tillside/server/database/audit'

export * from '@tillside/server/database/audit'

/** Replaces the batch of the product. */
export function batchAudit(): AuditBatch {
  return { add: () => {}, close: async () => {} }
}

registerHooks({
  resolve(specifier, context, next) {
    const isOfApp = context.parentURL?.endsWith('/server/src/app.ts') === true
    if (!isOfApp || specifier !== './database/audit.ts') return next(specifier, context)
    return { url: import.meta.url, format: 'module-typescript', shortCircuit: true }
  },
})
