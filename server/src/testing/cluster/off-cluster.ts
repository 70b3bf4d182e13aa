import { test } from 'vitest'

/** Whether the tests run on the cluster of CLUSTER_URL. */
export const isOnCluster = process.env['ON_CLUSTER'] === '1'

/**
 * `test` for what a cluster cannot do. The project `cluster` skips it and prints the reason.
 * @param reason one sentence
 */
export function offCluster(reason: string): ReturnType<typeof test.skipIf> {
  if (isOnCluster) console.info(`skipped on a cluster: ${reason}`)
  return test.skipIf(isOnCluster)
}

/** Reasons of several tests. */
export const reasons = {
  move: 'SQL moves a row to another member, and Citus refuses to change the place of a row.',
} as const
