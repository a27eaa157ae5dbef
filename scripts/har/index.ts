/** Everything that the rest of the repository takes from the recorder. */
export { listReasons, makeRecordedWorld, type Outcome, type Workshop } from './from-har.ts'
export { HarError, parseJson } from './har-schema.ts'
export { createRecording, type PassedExchange } from './recording.ts'
