import { allTargets, endlessTargets, testFloods } from '../../testing/hostile/strangers.ts'

const everything = [...allTargets, ...endlessTargets]
testFloods({ from: 'one address' }, everything)
testFloods({ from: '500 addresses' }, everything)
testFloods({ from: '500 addresses', pauseMs: 1_000 }, allTargets)
testFloods({ from: 'one address', isBehindNginx: true }, everything)
testFloods({ from: '500 addresses', isBehindNginx: true }, everything)
testFloods({ from: '500 addresses', isBehindNginx: true, pauseMs: 1_000 }, allTargets)
// More connections than nginx has places for calls of staff and tills.
testFloods({ from: 'one address', isBehindNginx: true, connections: 1_000 }, [
  'a staff call with an unknown token',
  'a till with an unknown key',
])
