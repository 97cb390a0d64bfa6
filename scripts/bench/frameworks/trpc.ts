import { initTRPC } from '@trpc/server';
import {
  awsLambdaRequestHandler,
  type CreateAWSLambdaContextOptions,
} from '@trpc/server/adapters/aws-lambda';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

const createContext = ({ event }: CreateAWSLambdaContextOptions<APIGatewayProxyEventV2>) => ({
  userId: verifyToken(event.headers.authorization),
});

const trpc = initTRPC.context<typeof createContext>().create();

const router = trpc.router({
  leads: trpc.procedure.input(leadBody).mutation(({ ctx, input }) => saveLead(ctx.userId, input)),
});

export const handler = awsLambdaRequestHandler({ router, createContext });
