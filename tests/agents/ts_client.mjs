#!/usr/bin/env node
// A small MCP client (TypeScript SDK): lists a server's tools, calls those named in a file, in order,
// then lists and reads its resources and prompts.
//
//     ts_client.mjs [--elicit accept|decline|cancel] CALLS.json COMMAND [ARGUMENT]...
//
// CALLS.json: {"tool": {arguments}, ...}, or [["tool", {arguments}], ...] to call one tool twice.
// --elicit declares elicitation and gives that answer to each question. The server gets the SDK's
// small environment (HOME, PATH, SHELL, TERM, USER, LOGNAME). Exits 1 when anything failed.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const argv = process.argv.slice(2);
const elicit = argv[0] === "--elicit" ? argv.splice(0, 2)[1] : null;
const [file, command, ...args] = argv;
if (!command) {
  console.error("usage: ts_client.mjs [--elicit ACTION] CALLS.json COMMAND [ARGUMENT]...");
  process.exit(2);
}
const given = JSON.parse(readFileSync(file, "utf8"));
const calls = Array.isArray(given) ? given : Object.entries(given);
let failed = false;

/** Runs one step; says so when it fails. */
async function step(name, run) {
  try {
    return await run();
  } catch (e) {
    failed = true;
    console.log(`${name}: failed: ${e.message}`);
    return undefined;
  }
}

const client = new Client(
  { name: "ts-test-client", version: "1.0.0" },
  { capabilities: elicit ? { elicitation: { form: {} } } : {} },
);
if (elicit) {
  client.setRequestHandler(ElicitRequestSchema, (request) => {
    console.log(`asked: ${request.params.message}`);
    return { action: elicit, content: elicit === "accept" ? answers(request.params.requestedSchema) : undefined };
  });
}

/** An answer that agrees: true for each boolean, the first choice of each enum, "yes" for a text. */
function answers(schema) {
  const one = (p) => (p.type === "boolean" ? true : p.enum ? p.enum[0] : p.type === "string" ? "yes" : 1);
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([k, p]) => [k, one(p)]));
}

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
const server = client.getServerVersion();
console.log(`server: ${server.name} ${server.version}`);
console.log(`instructions: ${(client.getInstructions() ?? "").length} characters`);

const { tools } = await client.listTools();
const names = tools.map((t) => t.name);
console.log(`tools: ${names.join(", ")}`);
for (const [name, params] of calls) {
  if (!names.includes(name)) {
    console.log(`call ${name}: not offered`);
    continue;
  }
  const r = await step(`call ${name}`, () => client.callTool({ name, arguments: params }));
  if (r) console.log(`call ${name}: isError=${r.isError ?? false}: ${r.content?.find((c) => c.type === "text")?.text ?? ""}`);
}

const can = client.getServerCapabilities() ?? {};
if (can.resources) {
  const { resources } = (await step("resources", () => client.listResources())) ?? { resources: [] };
  console.log(`resources: ${resources.map((r) => r.uri).join(", ")}`);
  for (const { uri } of resources) {
    const r = await step(`read ${uri}`, () => client.readResource({ uri }));
    if (r) console.log(`read ${uri}: ${r.contents[0]?.text ?? ""}`);
  }
}
if (can.prompts) {
  const { prompts } = (await step("prompts", () => client.listPrompts())) ?? { prompts: [] };
  console.log(`prompts: ${prompts.map((p) => p.name).join(", ")}`);
  for (const p of prompts) {
    const required = (p.arguments ?? []).filter((a) => a.required).map((a) => [a.name, "test"]);
    const r = await step(`prompt ${p.name}`, () => client.getPrompt({ name: p.name, arguments: Object.fromEntries(required) }));
    if (r) console.log(`prompt ${p.name}: ${r.messages[0]?.content?.text ?? ""}`);
  }
}
await client.close();
process.exitCode = failed ? 1 : 0;
