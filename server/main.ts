import { chooseEngine } from '#db/schema/engine.ts'
import { runMain } from '#server/http/process.ts'

/** The production server. Its modules are loaded once the engine is chosen, because loading builds the tables. */
runMain(async () => {
  chooseEngine(process.env.DATABASE_URL)
  const { serve } = await import('./serve.ts')
  await serve(process.env)
})
