import { hashCost } from '../staff/password.ts'

// Runs before each test file. A hash with the cost of production takes about 40 ms of processor
// time, and so does each check of it; tests hash thousands of passwords and verification codes. A
// hash contains its cost, so the servers that tests start can check it.
Object.assign(hashCost, { memoryKib: 64, passes: 1 })
