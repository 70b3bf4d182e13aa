import { allTargets, testFloods } from '../../testing/hostile/strangers.ts'

testFloods('one address', allTargets)
testFloods('500 addresses', allTargets)
testFloods('500 addresses', allTargets, true)
