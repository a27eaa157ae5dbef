export { startServer } from './start-server.ts'
