import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { keyOpenApiOf } from '@tillside/server/http/keys/openapi'

/** Writes the OpenAPI document of the integration interface, as the server serves it. */
export function writeDocument(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(keyOpenApiOf(integrationEndpoints), null, 2))
}
