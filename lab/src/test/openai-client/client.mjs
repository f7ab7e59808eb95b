// Talks to the server at argv[2] as applications do, and prints what it got as one JSON object.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "unused", maxRetries: 0 });
const model = "warmpath-demo";
const messages = [
  { role: "system", content: "You answer in one sentence. ".repeat(40) },
  { role: "user", content: "What is a KV cache?" },
];

const models = [];
for await (const one of client.models.list()) {
  models.push(one.id);
}

const answered = await client.chat.completions.create({ model, messages, max_tokens: 8 });

let streamed = "";
let finishReason = null;
let usage = null;
const stream = await client.chat.completions.create({
  model,
  messages,
  max_tokens: 8,
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  streamed += chunk.choices[0]?.delta?.content ?? "";
  finishReason = chunk.choices[0]?.finish_reason ?? finishReason;
  usage = chunk.usage ?? usage;
}

let refusal = null;
try {
  await client.chat.completions.create({ model: "no-such-model", messages });
} catch (error) {
  refusal = { status: error.status, name: error.constructor.name };
}

console.log(
  JSON.stringify({
    models,
    answered: answered.choices[0].message.content,
    first_usage: answered.usage,
    streamed,
    finish_reason: finishReason,
    second_usage: usage,
    refusal,
  }),
);
