/** Runs after the tests: saves what they called. Only a whole run begins a new record. */
import { rmSync } from 'node:fs'
import { createRecord, mergeCalls, RECORD_FILE, readRecord, writeRecord } from './call-record.ts'

const record = (process.argv.includes('--add') ? readRecord() : undefined) ?? createRecord()
const folder = process.env.CALLS_DIR ?? '.cache/calls'
const count = mergeCalls(record, folder)
writeRecord(record)
rmSync(folder, { recursive: true, force: true })
console.log(`${count} test files recorded in ${RECORD_FILE}`)
