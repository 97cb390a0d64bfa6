import 'reflect-metadata';
import { Body, Controller, Headers, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import serverless from 'serverless-http';
import { leadBody, saveLead, verifyToken } from './lead-work.ts';

class LeadsController {
  create(body: unknown, authorization: string | undefined) {
    const userId = verifyToken(authorization);

    return saveLead(userId, leadBody.parse(body));
  }
}

class LeadsModule {}

// Decorators are called as the functions that they are: Node runs no decorators' syntax.
const { prototype } = LeadsController;
const created = Object.getOwnPropertyDescriptor(prototype, 'create') ?? {};
Body()(prototype, 'create', 0);
Headers('authorization')(prototype, 'create', 1);
HttpCode(201)(prototype, 'create', created);
Post()(prototype, 'create', created);
Controller('leads')(LeadsController);
Module({ controllers: [LeadsController] })(LeadsModule);

const server = express();
const app = await NestFactory.create(LeadsModule, new ExpressAdapter(server), { logger: false });
await app.init();

export const handler = serverless(server);
