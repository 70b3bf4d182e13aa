// Serves the company of the benchmark by two processes of the build that this file is a part of,
// until standard input ends: `node serve.ts MEMBERS`. Prints one line of JSON.
import { fillMembers, settle } from '../fill.ts'
import { openWorld } from '../world.ts'

const world = await openWorld()
await fillMembers(world.ownerUrl, world.companyId, 0, Number(process.argv[2]))
await settle(world.ownerUrl, world.companyId)
const second = await world.another({})
const { product, token, key } = world
process.stdin.resume().once('end', () => void world.close().then(() => process.exit()))
process.stdout.write(`${JSON.stringify({ origins: [product, second.origin], token, key })}\n`)
